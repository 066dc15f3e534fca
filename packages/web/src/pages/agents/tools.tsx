import { m } from '#src/messages/messages.ts'
import { AccountTool, HttpTool, McpTool, WorkflowTool } from '#src/pages/agents/tool-forms.tsx'
import type { Tool } from '#src/pages/agents/tool.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

const icons = { workflow: 'flow', http: 'ext', mcp: 'plug', connector: 'plug', account: 'list' } as const

interface ToolsProps {
  readonly tools: readonly Tool[]
  readonly setTools: (change: (before: readonly Tool[]) => readonly Tool[]) => void
}

function summaryOf(tool: Tool): string {
  if (tool.kind === 'mcp') return tool.url
  if (tool.kind === 'account') return tool.operations.map((operation) => m.agents.operations[operation]).join(', ')
  return tool.description
}

/** The tools of an agent. */
export function Tools({ tools, setTools }: ToolsProps) {
  const a = m.agents
  const { open, sheet } = useSheet()
  const add = (close: () => void) => (tool: Tool) => {
    setTools((before) => [...before.filter(({ name }) => name !== tool.name), tool])
    close()
  }
  return (
    <section className="panel acard agent-tools">
      <h2 className="t16 bb">{a.tools}</h2>
      {tools.length === 0 && <p className="t13 i2">{a.noTools}</p>}
      <ul className="needs-list">
        {tools.map((tool) => (
          <li key={tool.name} className="row wrap">
            <Icon name={icons[tool.kind]} label={a.toolKinds[tool.kind]} />
            <bdi className="mono b">{tool.name}</bdi>
            <span className="grow i2">{summaryOf(tool)}</span>
            {tool.risk !== undefined && <Badge tone={tool.risk === 'ask' ? 'wait' : 'off'}>{a.risks[tool.risk]}</Badge>}
            <IconButton
              icon="x"
              size="sm"
              label={`${m.common.remove}: ${tool.name}`}
              onClick={() => setTools((before) => before.filter((one) => one !== tool))}
            />
          </li>
        ))}
      </ul>
      <div className="row wrap">
        <Button icon="flow" size="sm" onClick={() => open(a.addWorkflow, (close) => <WorkflowTool add={add(close)} />)}>
          {a.addWorkflow}
        </Button>
        <Button icon="ext" size="sm" onClick={() => open(a.addHttp, (close) => <HttpTool add={add(close)} />)}>
          {a.addHttp}
        </Button>
        <Button icon="plug" size="sm" onClick={() => open(a.addMcp, (close) => <McpTool add={add(close)} />)}>
          {a.addMcp}
        </Button>
        <Button icon="list" size="sm" onClick={() => open(a.addAccount, (close) => <AccountTool add={add(close)} />)}>
          {a.addAccount}
        </Button>
      </div>
      {sheet}
    </section>
  )
}
