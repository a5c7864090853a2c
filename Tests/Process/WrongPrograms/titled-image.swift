// 'pickImage' is unavailable: a task that picks an image has no title: .pickImage()
import Nagare

let task = UserTask.pickImage("A portrait")
