import { addressOfTraces, type TraceWish, writeWish } from './trace-query.js'

let shown: TraceWish = {}

/** Keeps what the list of traces shows, for as long as this page is loaded. */
export function rememberList(wish: TraceWish): void {
  shown = wish
}

/** Address of the list of traces as it was shown last: whoever leaves a trace finds what they came from. */
export function addressOfList(): string {
  return addressOfTraces(writeWish(new URLSearchParams(), shown))
}
