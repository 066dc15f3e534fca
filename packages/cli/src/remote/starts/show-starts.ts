import { canonicalYaml } from '@millrace/dsl'
import type { JsonObject } from '@millrace/engine'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { columns } from '#remote/columns.ts'
import { connect } from '#remote/connect.ts'
import { explaining } from '#remote/explain.ts'
import { readWorkflow } from '#remote/find-workflow.ts'
import { contentOf, type PresentStart, presentStarts } from './start-text.ts'
import { withoutDefaults } from './without-defaults.ts'
import { documentName, withNames } from './workflow-names.ts'

export interface ShowRequest {
  readonly url: string | undefined
  /** Its id, or `namespace/name` of its document. */
  readonly workflow: string
  readonly yaml: boolean
  readonly json: boolean
}

/** Prints the starts of a workflow: as a table, as lines of JSON, or as a file for `starts apply`. */
export async function showStarts({ url, workflow, yaml, json }: ShowRequest, { stdout }: Terminal): Promise<ExitCode> {
  const connection = await connect(url)
  return explaining(connection.url, async () => {
    const { id, definition } = await readWorkflow(connection, workflow)
    const present = await presentStarts(connection, id)
    if (yaml) {
      const starts: JsonObject[] = []
      for (const start of present) starts.push(await withNames(connection, withoutDefaults(contentOf(start))))
      stdout.write(canonicalYaml({ workflow: documentName(definition) ?? workflow, starts }))
    } else stdout.write(json ? present.map((start) => `${JSON.stringify(start)}\n`).join('') : columns(present.map(row)))
    return exitCodes.ok
  })
}

function row({ id, name, kind, enabled, schedule, webhook, event, watch }: PresentStart): readonly string[] {
  const what = webhook?.url ?? schedule?.nextLocal ?? event?.types.join(', ') ?? watch?.settings.source ?? ''
  return [id, kind, enabled ? 'enabled' : 'disabled', name, what]
}
