export { type Hub, type HubOptions, startHub } from './hub.js'
