import { describeModel } from './model/describe-model.js'

describeModel(20, 30, 30_000)
