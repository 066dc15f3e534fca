import type { groups, Reply } from '@millrace/contract'
import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { Files, Parts } from '#src/pages/trust/erasure-parts.tsx'
import { linesOf } from '#src/pages/trust/lines-of.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

type Erasure = Reply<(typeof groups)['erasures']['get']>

interface ErasureFormProps {
  /** What was looked for before. */
  readonly values?: readonly string[]
  readonly done: (erasure: Erasure) => void
}

/** Asks for what identifies a person, shows what an erasure would touch, and erases it. */
export function ErasureForm({ values: given = [], done }: ErasureFormProps) {
  const e = m.erasures
  return (
    <DataForm
      danger
      before={<p className="i2">{e.text}</p>}
      initial={{ values: given.join('\n'), reason: '', sure: false }}
      fields={[
        { name: 'values', label: e.values, hint: e.valuesHint, kind: 'textarea', rows: 5, required: true },
        { name: 'reason', label: e.reason, hint: e.reasonHint },
        { name: 'sure', label: e.cannotUndo, kind: 'switch' },
      ]}
      below={({ values }) => <Preview key={values} values={linesOf(values)} />}
      send={async ({ values, reason, sure }) => {
        if (!sure) throw new FieldProblems({ sure: e.confirmFirst })
        const why = reason.trim() === '' ? {} : { reason: reason.trim() }
        done(await api.erasures.create({ body: { values: linesOf(values), ...why } }))
      }}
      label={e.act}
    />
  )
}

/** What the erasure would do now, when a person asks for it. */
function Preview({ values }: { readonly values: string[] }) {
  const e = m.erasures
  const preview = useMutation({ mutationFn: () => api.erasures.preview({ body: { values } }) })
  const { data } = preview
  return (
    <>
      <Button look="plain" icon="search" disabled={values.length === 0} busy={preview.isPending} onClick={() => preview.mutate()}>
        {e.preview}
      </Button>
      {preview.isError && <ProblemPanel error={preview.error} />}
      <div role="status">
        {data !== undefined && (
          <>
            {data.records.length === 0 && <p className="i2">{e.nothing}</p>}
            {actions.map((action) => {
              const records = data.records.filter((one) => one.action === action)
              if (records.length === 0) return null
              return (
                <Fragment key={action}>
                  <h3 className="t14 bb">{e.actions[action]}</h3>
                  <Parts parts={records} />
                </Fragment>
              )
            })}
            {data.files.length > 0 && <h3 className="t14 bb">{e.filesDeleted(data.files.length + data.moreFiles)}</h3>}
            <Files files={data.files} />
            <p className="hint">{e.previewNote}</p>
          </>
        )}
      </div>
    </>
  )
}

const actions = ['replace', 'delete', 'keep'] as const
