import { streamHeartbeatMs } from '@millrace/contract'

/** A connection that is silent for longer is lost, although nothing has closed it. */
const silenceMsMax = 2.5 * streamHeartbeatMs

/** Notices that a stream has been silent for too long. `heard` begins to wait, and begins anew with everything that arrives. */
export function noticeSilence() {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** Aborts after the silence. */
    signal: silent.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(new TypeError('the stream was silent for too long')), silenceMsMax)
    },
    end: () => clearTimeout(timer),
  }
}
