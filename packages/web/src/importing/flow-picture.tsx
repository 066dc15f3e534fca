import { useMemo, useState } from 'react'
import { FlowView } from '#src/flow/flow-view.tsx'
import { StartOf } from '#src/flow/start-of.tsx'
import { outlineOf } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'

/** The drawing of a definition that is not edited here. */
export function FlowPicture({ definition }: { readonly definition: unknown }) {
  const entries = useMemo(() => outlineOf(definition), [definition])
  const [selected, setSelected] = useState<string>()
  return (
    <FlowView
      entries={entries}
      look={() => ({ into: 'ready', out: 'ready' })}
      selected={selected}
      onSelect={setSelected}
      start={<StartOf definition={definition} />}
      end={<b className="bb t13">{m.run.ends}</b>}
      ends={['ready', 'ready']}
    />
  )
}
