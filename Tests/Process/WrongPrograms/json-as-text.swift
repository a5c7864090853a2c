// '==' is unavailable: compare the value: json.string == text
import Nagare

func isOpen(_ status: RawJSON) -> Bool { status == "open" }
