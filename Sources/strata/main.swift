import StrataKit

StrataKit.main()
