print("nagare")
