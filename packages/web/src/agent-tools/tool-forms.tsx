import { accountOperations } from '@millrace/contract/account-operations'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { description, name, risk, riskOf, type ToolFormProps } from '#src/agent-tools/tool-fields.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A published workflow as a tool; its input schema describes the arguments. */
export function WorkflowTool({ add }: ToolFormProps) {
  const first = useFirstWorkflow()
  if (first === undefined) return <Skeleton rows={3} />
  return (
    <DataForm
      initial={{ workflowId: first ?? '', name: '', description: '', risk: '' }}
      fields={[{ name: 'workflowId', label: m.starting.workflow, kind: 'workflow', required: true }, name(), description(), risk()]}
      send={async (values) => {
        await add({
          kind: 'workflow',
          name: values.name,
          description: values.description,
          workflowId: values.workflowId,
          ...riskOf(values.risk),
        })
      }}
      label={m.starts.add}
    />
  )
}

/** One address as a tool, with a secret that the model never sees. */
export function HttpTool({ add }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{ name: '', description: '', method: 'GET', url: 'https://', secret: '', risk: '' }}
      fields={[
        name(),
        description(),
        { name: 'method', label: a.method, kind: 'select', options: methods.map((method) => [method, method]) },
        { name: 'url', label: m.starts.url, required: true, hint: a.urlHint },
        { name: 'secret', label: a.secret, hint: a.secretHint },
        risk(),
      ]}
      send={async ({ secret, method, ...values }) => {
        const headers = secret === '' ? {} : { headers: { Authorization: { secret, prefix: 'Bearer ' } } }
        const verb = methods.find((one) => one === method) ?? 'GET'
        await add({
          kind: 'http',
          name: values.name,
          description: values.description,
          method: verb,
          url: values.url,
          ...headers,
          ...riskOf(values.risk),
        })
      }}
      label={m.starts.add}
    />
  )
}

/** Tools of an MCP server, by their names. */
export function McpTool({ add }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{ name: '', url: 'https://', tools: '', secret: '', risk: '' }}
      fields={[
        name(),
        { name: 'url', label: m.starts.url, required: true },
        { name: 'tools', label: a.mcpTools, kind: 'textarea', rows: 3, required: true, hint: m.importing.oneEachLine },
        { name: 'secret', label: a.secret, hint: a.secretHint },
        risk(),
      ]}
      send={async ({ secret, tools, ...values }) => {
        const headers = secret === '' ? {} : { headers: { Authorization: { secret, prefix: 'Bearer ' } } }
        const names = tools.split(/\s+/).filter((tool) => tool !== '')
        await add({ kind: 'mcp', name: values.name, url: values.url, tools: names, ...headers, ...riskOf(values.risk) })
      }}
      label={m.starts.add}
    />
  )
}

/** What the agent may read of the account. */
export function AccountTool({ add }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{ name: 'account', operations: ['list_executions', 'get_execution'], risk: '' }}
      fields={[
        name(),
        {
          name: 'operations',
          label: a.reads,
          kind: 'checks',
          options: accountOperations.map((one) => [one, a.operations[one]]),
          hint: a.readsHint,
        },
        risk(),
      ]}
      send={async (values) => {
        const chosen = new Set<string>(values.operations)
        await add({
          kind: 'account',
          name: values.name,
          operations: accountOperations.filter((one) => chosen.has(one)),
          ...riskOf(values.risk),
        })
      }}
      label={m.starts.add}
    />
  )
}
