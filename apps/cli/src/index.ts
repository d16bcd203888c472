export { type CallUpdate, type ShownState, updateOfEvent } from './render/call-update.js'
export { createTraceRenderer, type TraceRenderer } from './render/trace-renderer.js'
export type { ScreenOptions, TextStream } from './terminal/screen.js'
