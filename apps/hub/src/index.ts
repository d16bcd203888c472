export { type Hub, type HubOptions, refuseOpenHub, startHub } from './hub.js'
