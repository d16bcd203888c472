export { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatcher.js'
