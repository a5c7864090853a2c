import Nagare
