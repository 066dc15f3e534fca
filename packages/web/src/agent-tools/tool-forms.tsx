import { accountOperations } from '@millrace/contract/account-operations'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { authorizationOf, httpMethods, withAuthorization } from '#src/agent-tools/changed-tool.ts'
import { description, name, risk, riskOf, saveLabel, textOf, type ToolFormProps } from '#src/agent-tools/tool-fields.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** A published workflow as a tool; its input schema describes the arguments. */
export function WorkflowTool({ tool, save }: ToolFormProps) {
  const first = useFirstWorkflow()
  if (first === undefined) return <Skeleton rows={3} />
  // A definition names a workflow by namespace and name, which is no id here.
  const named = textOf(tool, 'workflow')
  return (
    <DataForm
      initial={{
        workflowId: tool === undefined ? (first ?? '') : textOf(tool, 'workflowId'),
        name: textOf(tool, 'name'),
        description: textOf(tool, 'description'),
        risk: textOf(tool, 'risk'),
      }}
      fields={[
        {
          name: 'workflowId',
          label: m.starting.workflow,
          kind: 'workflow',
          required: true,
          ...(named === '' ? {} : { options: [['', `${textOf(tool, 'namespace')}/${named}`]] }),
        },
        name(),
        description(),
        risk(),
      ]}
      send={({ risk: asked, ...values }) => save({ kind: 'workflow', ...values, ...riskOf(asked) })}
      label={saveLabel(tool)}
    />
  )
}

/** One address as a tool, with a secret that the model never sees. */
export function HttpTool({ tool, save }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{
        name: textOf(tool, 'name'),
        description: textOf(tool, 'description'),
        method: textOf(tool, 'method') || 'GET',
        url: tool === undefined ? 'https://' : textOf(tool, 'url'),
        secret: authorizationOf(tool?.['headers']),
        risk: textOf(tool, 'risk'),
      }}
      fields={[
        name(),
        description(),
        { name: 'method', label: a.method, kind: 'select', options: httpMethods.map((method) => [method, method]) },
        { name: 'url', label: m.starts.url, required: true, hint: a.urlHint },
        { name: 'secret', label: a.secret, hint: a.secretHint },
        risk(),
      ]}
      send={({ secret, method, risk: asked, ...values }) =>
        save({
          kind: 'http',
          ...values,
          method: httpMethods.find((one) => one === method) ?? 'GET',
          ...withAuthorization(tool?.['headers'], secret.trim()),
          ...riskOf(asked),
        })
      }
      label={saveLabel(tool)}
    />
  )
}

/** Tools of an MCP server, by their names. */
export function McpTool({ tool, save }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{
        name: textOf(tool, 'name'),
        url: tool === undefined ? 'https://' : textOf(tool, 'url'),
        tools: listOf(tool?.['tools']).join('\n'),
        secret: authorizationOf(tool?.['headers']),
        risk: textOf(tool, 'risk'),
      }}
      fields={[
        name(),
        { name: 'url', label: m.starts.url, required: true },
        { name: 'tools', label: a.mcpTools, kind: 'textarea', rows: 3, required: true, hint: m.importing.oneEachLine },
        { name: 'secret', label: a.secret, hint: a.secretHint },
        risk(),
      ]}
      send={({ secret, tools, risk: asked, ...values }) => {
        const names = tools.split('\n').map((one) => one.trim())
        const listed = names.filter((one) => one !== '')
        return save({ kind: 'mcp', ...values, tools: listed, ...withAuthorization(tool?.['headers'], secret.trim()), ...riskOf(asked) })
      }}
      label={saveLabel(tool)}
    />
  )
}

/** What the agent may read of the account. */
export function AccountTool({ tool, save }: ToolFormProps) {
  const a = m.agents
  return (
    <DataForm
      initial={{
        name: tool === undefined ? 'account' : textOf(tool, 'name'),
        operations: tool === undefined ? ['list_executions', 'get_execution'] : listOf(tool['operations']),
        risk: textOf(tool, 'risk'),
      }}
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
      send={(values) => {
        const chosen = new Set<string>(values.operations)
        const operations = accountOperations.filter((one) => chosen.has(one))
        return save({ kind: 'account', name: values.name, operations, ...riskOf(values.risk) })
      }}
      label={saveLabel(tool)}
    />
  )
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
