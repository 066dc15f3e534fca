import { readableName } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { FlowPicture } from '#src/importing/flow-picture.tsx'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { type Askable, askableIn, parametersOf } from '#src/pages/marketplace/askable.ts'
import { marketplaceCategories } from '#src/pages/marketplace/categories.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSession } from '#src/session/session.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

const noneAsked: readonly string[] = []

const licences = [
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'Unlicense',
] as const

/** Makes a published workflow public; the server refuses secrets and personal data and names their places. */
export function Page() {
  const k = t
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { workflow }: { workflow?: string } = useSearch({ strict: false })
  const first = useFirstWorkflow()
  const [picked, setPicked] = useState<string>()
  const id = picked ?? workflow ?? first
  const published = useQuery({ queryKey: ['workflow', id, 'published'], enabled: id !== undefined, queryFn: () => latestOf(id ?? '') })
  const askable = published.data === undefined ? [] : askableIn(published.data.definition)
  const author = useSession(({ me }) => me?.account.name ?? '')
  return (
    <Shell title={k.publish} lede={k.publishLede}>
      {first === undefined ? (
        <Skeleton />
      ) : (
        <DataForm
          layout={(form) => (
            <div className="beside-form">
              <section className="panel acard">{form}</section>
              <aside>
                <h2 className="t16 bb">{k.becomesPublic}</h2>
                <p className="t13 i2">{k.becomesPublicText}</p>
                <Loaded query={published}>{(latest) => <Published latest={latest} />}</Loaded>
              </aside>
            </div>
          )}
          initial={{
            workflow: workflow ?? first ?? '',
            summary: '',
            author,
            category: 'integration',
            licence: 'MIT',
            tags: '',
            readme: '',
            notes: '',
            asked: noneAsked,
          }}
          derive={(values, changed) => {
            if (changed !== 'workflow') return values
            setPicked(values.workflow)
            return { ...values, asked: noneAsked }
          }}
          fields={[
            { name: 'workflow', label: m.starting.workflow, kind: 'workflow', required: true },
            { name: 'summary', label: k.summary, kind: 'textarea', rows: 2, required: true, hint: k.summaryHint },
            { name: 'author', label: k.author, required: true, hint: k.authorHint },
            { name: 'category', label: m.templates.category, kind: 'select', options: Object.entries(m.categories) },
            { name: 'licence', label: k.licence, kind: 'select', options: licences.map((one) => [one, one]) },
            { name: 'tags', label: m.editor.tags, hint: m.editor.tagsHint },
            { name: 'readme', label: k.readme, kind: 'textarea', rows: 6, hint: k.readmeHint },
            { name: 'notes', label: k.notes, kind: 'textarea', rows: 2 },
            ...(askable.length === 0 ? [] : [askedField(askable)]),
          ]}
          send={async ({ workflow: chosen, summary, author: by, category, licence, tags, readme, notes, asked }) => {
            // The version that is shown, whatever is published meanwhile: the values that stay here are chosen in it.
            const version = published.data?.version ?? undefined
            const entry = await api.marketplace.publish({
              params: { id: chosen },
              body: {
                ...(version === undefined ? {} : { version }),
                summary,
                author: by,
                category: marketplaceCategories.find((one) => one === category) ?? 'integration',
                licence: licences.find((one) => one === licence) ?? 'MIT',
                tags: tags
                  .split(',')
                  .map((tag) => tag.trim())
                  .filter((tag) => tag !== ''),
                notes,
                parameters: [
                  ...parametersOf(
                    askable.filter(({ at: [place = ''] }) => asked.includes(place)),
                    ({ member, task }) => k.askedFor(readableName(member), task),
                  ),
                ],
                ...(readme.trim() === '' ? {} : { readme }),
              },
            })
            await queries.invalidateQueries({ queryKey: ['marketplace'] })
            await navigate({ to: `/marketplace/${entry.id}` })
          }}
          label={k.publishIt}
        />
      )}
    </Shell>
  )
}

/** Values that stay here: an import asks for its own. */
function askedField(askable: readonly Askable[]): FieldSpec {
  const k = t
  const options = askable.map(
    ({ value, member, task, at }) =>
      [at[0] ?? '', String(value).slice(0, 80), k.askedAt(readableName(member), task, at.length - 1)] as const,
  )
  return { name: 'asked', label: k.asked, kind: 'checks', options, hint: k.askedHint }
}

/** The drawing of the published version of a workflow. */
function Published({ latest: { definition, version } }: { readonly latest: Awaited<ReturnType<typeof latestOf>> }) {
  if (version === null) return <p className="i2">{t.notPublished}</p>
  return (
    <section className="panel preview-flow">
      <FlowPicture definition={definition} />
    </section>
  )
}

/** The workflow as it was published last. */
async function latestOf(id: string) {
  const workflow = await api.workflows.get({ params: { id } })
  return workflow.version === null ? workflow : api.workflows.get({ params: { id }, query: { version: workflow.version } })
}
