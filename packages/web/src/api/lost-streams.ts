import { create } from 'zustand'

/** How many streams of this page have lost the server and try to reach it again. */
export const useLostStreams = create<{ readonly lost: number }>(() => ({ lost: 0 }))

/** What one stream reports; only a change counts. */
export function lossOfStream(): (isLost: boolean) => void {
  let before = false
  return (isLost) => {
    if (isLost === before) return
    before = isLost
    useLostStreams.setState(({ lost }) => ({ lost: lost + (isLost ? 1 : -1) }))
  }
}
