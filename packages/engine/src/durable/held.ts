import type { Progress } from './ports.ts'

type Held = Extract<Progress, { readonly state: 'waiting' | 'pending' | 'suspended' }>

/** Whether somebody goes on with the execution later; otherwise it has ended. */
export function isHeld(progress: Progress): progress is Held {
  return progress.state === 'waiting' || progress.state === 'pending' || progress.state === 'suspended'
}
