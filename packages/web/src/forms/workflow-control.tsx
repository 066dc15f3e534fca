import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type InputHTMLAttributes, type KeyboardEvent, useId, useState } from 'react'
import { useWorkflowName, workflowsFound } from '#src/api/workflow-names.ts'
import { m } from '#src/messages/messages.ts'
import { shortId } from '#src/ui/id.tsx'
import { useRested } from '#src/values/use-rested.ts'

interface WorkflowControlProps {
  /** Of the input. */
  readonly shared: InputHTMLAttributes<HTMLInputElement>
  readonly value: string
  /** What can be chosen beside the workflows. */
  readonly others: readonly (readonly [string, string, string?])[]
  readonly onChange: (id: string) => void
}

/** Chooses a workflow: what is typed is searched by the server; the arrow keys move, Enter or a click chooses, Escape keeps what it was. */
export function WorkflowControl({ shared, value, others, onChange }: WorkflowControlProps) {
  const list = useId()
  const [typed, setTyped] = useState<string>()
  const [at, setAt] = useState(0)
  const queries = useQueryClient()
  const isOpen = typed !== undefined
  const query = useRested(typed ?? '')
  const name = useWorkflowName(others.some(([key]) => key === value) ? '' : value)
  const found = useQuery({ ...workflowsFound(queries, query), enabled: isOpen, placeholderData: keepPreviousData })
  const shown = others.find(([key]) => key === value)?.[1] ?? name ?? (value === '' ? '' : shortId(value))
  const workflows = (found.data ?? []).map(({ id, name: title }) => [id, title] as const)
  const choices = typed === undefined || typed.trim() === '' ? [...others, ...workflows] : workflows
  const chosen = choices[Math.min(at, choices.length - 1)]
  const close = () => setTyped(undefined)
  const open = () => {
    setTyped((before) => before ?? '')
    setAt(0)
  }
  const pick = (id: string) => {
    onChange(id)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!isOpen) open()
      else if (choices.length > 0) setAt((before) => (Math.min(before, choices.length - 1) + step + choices.length) % choices.length)
    }
    if (!isOpen || (event.key !== 'Enter' && event.key !== 'Escape')) return
    // Enter would send the form, and Escape close the dialog.
    event.preventDefault()
    event.stopPropagation()
    // What is found for the text before says nothing of this one.
    if (event.key === 'Escape') close()
    else if (chosen !== undefined && query === typed && !found.isPlaceholderData) pick(chosen[0])
  }
  return (
    <div className="wf-pick">
      <input
        {...shared}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && chosen !== undefined ? `${list}-${chosen[0]}` : undefined}
        placeholder={shown === '' ? m.starting.findWorkflow : shown}
        value={typed ?? shown}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
      />
      {isOpen && (
        <div id={list} className="wf-found" role="listbox" aria-label={m.starting.workflow}>
          {choices.map((choice) => (
            <div
              key={choice[0]}
              id={`${list}-${choice[0]}`}
              role="option"
              aria-selected={choice === chosen}
              className={choice === chosen ? 'on' : ''}
              // The input keeps the focus: without it the list would close before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(choice[0])}
            >
              <bdi>{choice[1]}</bdi>
            </div>
          ))}
          {choices.length === 0 && !found.isPending && <p className="i2 t13">{m.starting.noneFound}</p>}
        </div>
      )}
    </div>
  )
}
