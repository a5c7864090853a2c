// 'pickImage' is unavailable: picking an image has no title: .pickImage()
import Nagare

let task = UserTask.pickImage("A portrait")
