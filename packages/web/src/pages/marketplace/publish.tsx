import { marketplaceCategories } from '#src/pages/marketplace/categories.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FlowPicture } from '#src/importing/flow-picture.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSession } from '#src/session/session.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

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
  const k = m.marketplace
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { workflow }: { workflow?: string } = useSearch({ strict: false })
  const first = useFirstWorkflow()
  const author = useSession(({ me }) => me?.account.name ?? '')
  return (
    <Shell title={k.publish} lede={k.publishLede}>
      {first === undefined ? (
        <Skeleton />
      ) : (
        <DataForm
          layout={(form, { workflow: chosen }) => (
            <div className="beside-form">
              <section className="panel acard">{form}</section>
              <aside>
                <h2 className="t16 bb">{k.becomesPublic}</h2>
                <p className="t13 i2">{k.becomesPublicText}</p>
                <Published key={chosen} id={chosen} />
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
          ]}
          send={async ({ workflow: id, summary, author: by, category, licence, tags, readme, notes }) => {
            const entry = await api.marketplace.publish({
              params: { id },
              body: {
                summary,
                author: by,
                category: marketplaceCategories.find((one) => one === category) ?? 'integration',
                licence: licences.find((one) => one === licence) ?? 'MIT',
                tags: tags
                  .split(',')
                  .map((tag) => tag.trim())
                  .filter((tag) => tag !== ''),
                notes,
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

/** The drawing of the published version of a workflow. */
function Published({ id }: { readonly id: string }) {
  const workflow = useQuery({ queryKey: ['workflow', id, 'published'], queryFn: () => latestOf(id) })
  return (
    <Loaded query={workflow}>
      {({ definition, version }) =>
        version === null ? (
          <p className="i2">{m.marketplace.notPublished}</p>
        ) : (
          <section className="panel preview-flow">
            <FlowPicture definition={definition} />
          </section>
        )
      }
    </Loaded>
  )
}

/** The workflow as it was published last. */
async function latestOf(id: string) {
  const workflow = await api.workflows.get({ params: { id } })
  return workflow.version === null ? workflow : api.workflows.get({ params: { id }, query: { version: workflow.version } })
}
