import type { ReactNode } from 'react'
import { StateIcon } from '#src/ui/icon.tsx'
import { m } from '#src/messages/messages.ts'

export type Tone = 'race' | 'ok' | 'wait' | 'bad' | 'seal' | 'line' | 'off'

export function Badge({ tone = 'off', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={tone === 'off' ? 'badge' : `badge ${tone}`}>{children}</span>
}

/** The state of a run: glyph and word. */
export function StateMark({ state }: { readonly state: string }) {
  return (
    <span className={`state st-${state}`}>
      <StateIcon state={state} />
      {stateWord(state)}
    </span>
  )
}

/** What started a run, in a word. */
export function triggerWord(kind: string): string {
  const words: Readonly<Record<string, string>> = m.triggers
  return words[kind] ?? kind
}

/** Which version a run has; a test runs the draft. */
export function versionWord(version: number): string {
  return version < 0 ? m.run.draft : `v${version}`
}

export function stateWord(state: string): string {
  const words: Readonly<Record<string, string>> = m.states
  return words[state] ?? state
}
