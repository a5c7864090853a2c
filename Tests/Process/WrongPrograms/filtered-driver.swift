// 'filter' is unavailable: a driver always has a value: map it to an optional, or asObservable().filter(…)
import Nagare

func even(_ count: Driver<Int>) -> Driver<Int> { count.filter { $0 % 2 == 0 } }
