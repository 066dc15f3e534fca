import { Fault } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import type { WatchSettings } from './model.ts'

const everyMsMin = 10_000
const everyMsMax = 7 * 24 * 60 * 60 * 1000

/** Fault `request_invalid` for a watch that looks too often or too rarely. */
export function checkWatch(watch: WatchSettings | undefined): void {
  if (watch === undefined) return
  const everyMs = everyMsOf(watch)
  if (everyMs < everyMsMin || everyMs > everyMsMax)
    throw new Fault('request_invalid', { errors: [{ pointer: '/watch/every', detail: 'Must be from PT10S to P7D.' }] })
}

/** How long a watch waits between two looks. */
export function everyMsOf({ every }: Pick<WatchSettings, 'every'>): number {
  return durationMs(every) ?? 0
}
