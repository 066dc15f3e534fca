import type { InputHTMLAttributes } from 'react'
import { useWorkflowName } from '#src/api/workflow-names.ts'
import { WorkflowControl } from '#src/forms/workflow-control.tsx'
import { m } from '#src/messages/messages.ts'
import { IconButton } from '#src/ui/button.tsx'
import { shortId } from '#src/ui/id.tsx'

interface WorkflowsControlProps {
  /** Of the input. */
  readonly shared: InputHTMLAttributes<HTMLInputElement>
  /** Ids. */
  readonly value: unknown
  readonly onChange: (ids: readonly string[]) => void
}

/** Chooses several workflows: each that is found is added, and can be removed again. */
export function WorkflowsControl({ shared, value, onChange }: WorkflowsControlProps) {
  const ids = Array.isArray(value) ? value.map(String) : []
  return (
    <>
      <WorkflowControl
        // What is typed is no choice yet: without one the field is empty, and the browser asks for it.
        shared={{ ...shared, required: shared.required === true && ids.length === 0 }}
        value=""
        others={[]}
        onChange={(id) => onChange([...new Set([...ids, id])])}
      />
      {ids.length > 0 && (
        <ul className="picked">
          {ids.map((id) => (
            <Picked key={id} id={id} onRemove={() => onChange(ids.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
    </>
  )
}

function Picked({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const name = useWorkflowName(id) ?? shortId(id)
  return (
    <li className="row">
      <bdi className="grow trunc">{name}</bdi>
      <IconButton icon="x" size="sm" label={`${m.ends.remove}: ${name}`} onClick={onRemove} />
    </li>
  )
}
