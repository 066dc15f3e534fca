import { m } from '#src/messages/messages.ts'
import type { Connection } from '#src/pages/connections/connection.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'

type State = Connection['state']

export const connectionStates = ['ready', 'failed', 'unauthorized'] as const satisfies readonly State[]
const tones: Readonly<Record<State, Tone>> = { ready: 'ok', failed: 'bad', unauthorized: 'wait' }

/** The state of a connection in a word. */
export function ConnectionState({ state }: { readonly state: State }) {
  return <Badge tone={tones[state]}>{m.connections.states[state]}</Badge>
}
