import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseDocument } from 'yaml'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { Diagnostics } from '#src/importing/diagnostics.tsx'
import { Preview } from '#src/importing/preview.tsx'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { number } from '#src/values/format.ts'
import { Markdown } from '#src/values/markdown.tsx'

export type Generated = Reply<(typeof groups)['ai']['generateWorkflow']>

interface GeneratedDraftProps {
  readonly generated: Generated
  readonly change: (instruction: string) => Promise<unknown>
  /** Called when the workflow is saved. */
  readonly saved: () => void
  readonly back: () => void
}

/** What a model wrote: the drawing, what it assumed, what must be configured, and the ways to change it and to keep it. */
export function GeneratedDraft({ generated, change, saved, back }: GeneratedDraftProps) {
  const w = m.making
  const text = generated.definition ?? ''
  const definition: unknown = useMemo(() => parseDocument(text).toJS(), [text])
  return (
    <Preview
      definition={definition}
      definitionText={text}
      readme=""
      aside={
        <>
          <section className="panel acard" role="status">
            <h2 className="t16 bb">{w.done}</h2>
            <Markdown text={generated.explanation} />
            <Keep text={text} saved={saved} back={back} />
          </section>
          <Configure generated={generated} />
          <section className="panel acard">
            <h2 className="t16 bb">{w.change}</h2>
            <DataForm
              initial={{ instruction: '' }}
              fields={[{ name: 'instruction', label: w.instruction, kind: 'textarea', rows: 3, required: true }]}
              send={({ instruction }) => change(instruction)}
              label={w.changeIt}
            />
          </section>
        </>
      }
    />
  )
}

function Keep({ text, saved, back }: { readonly text: string; readonly saved: () => void; readonly back: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <DataForm
      initial={{}}
      fields={[]}
      send={async () => {
        const { id } = await api.workflows.create({ body: { definition: text, publish: false } })
        saved()
        await queries.invalidateQueries({ queryKey: ['workflows'] })
        await navigate({ to: `/workflows/${id}` })
      }}
      label={m.making.keep}
      beside={
        <Button look="quiet" onClick={back}>
          {m.making.otherWords}
        </Button>
      }
    />
  )
}

function Configure({ generated: { assumptions, requirements, diagnostics, repairs, usage } }: { readonly generated: Generated }) {
  const w = m.making
  const kinds: Readonly<Record<string, string>> = w.kinds
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{w.configure}</h2>
      {requirements.length === 0 && <p className="t13 i2">{w.nothingToConfigure}</p>}
      <ul className="needs-list">
        {requirements.map(({ kind, name, reason }) => (
          <li key={`${kind}.${name}.${reason}`}>
            <p className="row wrap">
              <Badge tone="wait">{kinds[kind] ?? kind}</Badge>
              <bdi className="mono">{name}</bdi>
            </p>
            <p className="i2">{reason}</p>
          </li>
        ))}
      </ul>
      {assumptions.length > 0 && (
        <>
          <h3 className="t13 b">{w.assumed}</h3>
          <ul className="plain-list t13 i2">
            {assumptions.map((assumption) => (
              <li key={assumption}>
                <Markdown text={assumption} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Diagnostics findings={diagnostics} />
      <p className="t12 i3">{w.usage(usage.model, number(usage.inputTokens + usage.outputTokens), repairs)}</p>
    </section>
  )
}
