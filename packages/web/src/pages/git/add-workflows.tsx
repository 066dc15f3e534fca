import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'

type Repository = Pick<Reply<(typeof groups)['git']['list']>['data'][number], 'id' | 'pull'>
type Workflow = Reply<(typeof groups)['workflows']['list']>['data'][number]

/** As many as one push takes. */
const workflowsMax = 500

interface AddWorkflowsProps {
  readonly repository: Repository
  readonly push: (workflowIds: string[], message: string | undefined) => Promise<unknown>
}

/** Chooses workflows of the account for a repository: each gets a file, in one commit. */
export function AddWorkflows({ repository: { pull }, push }: AddWorkflowsProps) {
  const k = m.git
  const query = useQuery({ queryKey: ['workflows', 'of-git'], queryFn: listAll })
  return (
    <Loaded query={query}>
      {(all) => {
        // A branch with published versions takes no drafts.
        const workflows = all.filter(({ version }) => pull === 'draft' || version !== null)
        return (
          <DataForm
            before={<p className="i2">{pull === 'publish' ? k.addVersions : k.addDrafts}</p>}
            initial={{ which: 'all', find: '', chosen: noIds, message: '' }}
            fields={({ which, find }) => [
              {
                name: 'which',
                label: k.addWhich,
                kind: 'select',
                options: [
                  ['all', k.addAll(workflows.length)],
                  ['chosen', k.addChosen],
                ],
              },
              ...(which === 'chosen'
                ? [
                    { name: 'find', label: k.addFind },
                    { name: 'chosen', label: m.nav.workflows, kind: 'checks' as const, options: optionsOf(workflows, find) },
                  ]
                : []),
              { name: 'message', label: k.message, hint: k.messageHint },
            ]}
            send={({ which, chosen, message }) =>
              push(which === 'all' ? workflows.map(({ id }) => id) : [...chosen], message === '' ? undefined : message)
            }
            label={k.pushNow}
          />
        )
      }}
    </Loaded>
  )
}

const noIds: readonly string[] = []

function optionsOf(workflows: readonly Workflow[], find: string): readonly (readonly [string, string])[] {
  const part = find.toLocaleLowerCase()
  return workflows.filter(({ name }) => name.toLocaleLowerCase().includes(part)).map(({ id, name }) => [id, name])
}

async function listAll(): Promise<readonly Workflow[]> {
  const found: Workflow[] = []
  for (let cursor: string | null | undefined; cursor !== null && found.length < workflowsMax; ) {
    const page = await api.workflows.list({ query: { limit: 100, sort: 'name', ...(cursor === undefined ? {} : { cursor }) } })
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found.slice(0, workflowsMax)
}
