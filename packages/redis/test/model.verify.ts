import { describeModel } from './model/describe-model.js'

describeModel(400, 80, 300_000)
