// 'map' is unavailable: map a part of the state: state.filter.map(\.status)
import Nagare

struct Filter: Equatable { var status = "open" }

struct State { var filter = Filter() }

func status(_ state: Feedback<State>) -> Driver<String> { state.map(\.filter.status) }
