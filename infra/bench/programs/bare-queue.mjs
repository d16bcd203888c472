/** The queue that the peer of the queued call adds to. */
export const BARE_QUEUE = 'bare'

/** Where its worker tells which job is done. */
export const REPLY_CHANNEL = 'bare-replies'
