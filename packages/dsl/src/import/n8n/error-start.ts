import type { TriggerProposal } from '#src/import/report.ts'

const faulted = 'io.serverlessworkflow.workflow.faulted.v1'

/** The schedule of a definition that starts when a run of any workflow fails. */
export const errorSchedule = { on: { one: { with: { type: faulted } } } } as const

/** The start of an Error Trigger of n8n. */
export function errorProposal(name: string): TriggerProposal {
  return { name, kind: 'event', settings: { types: [faulted] } }
}

export const errorReasons = {
  definition:
    'The definition starts when a run of any workflow fails, as soon as it is published: create no trigger for it. In n8n it started for those workflows only that name it as their error workflow. To choose some, replace `schedule` by a trigger (When a run fails).',
  trigger: `Becomes a trigger of kind event for the type ${faulted} (When a run fails): create it after you publish, for all workflows or chosen ones.`,
  /** Of a workflow that names another one. */
  setting: (id: string) =>
    `In n8n the workflow with the id "${id}" started when a run of this one failed. Import that one as well: its Error Trigger becomes a start by failed runs. If it has none, add the start When a run fails to it, and choose this workflow there.`,
}

/**
 * Makes what n8n gives to an Error Trigger of a failed run, as jq over a list of items: of the data of the lifecycle event, of the whole event, or of
 * what has the form of n8n already.
 */
export const errorItems = `map(
  (if type == "object" and (.data | type) == "object" and .data.execution != null then .data else . end) as $run
  | if ($run | type) == "object" and ($run.error | type) == "object" and ($run.execution | type) == "object" then
      {
        execution: ({
          id: $run.execution.id, url: $run.execution.url, retryOf: $run.execution.retryOf, mode: $run.execution.trigger,
          lastNodeExecuted: ($run.error.instance // "" | split("/") | last),
          error: {name: $run.error.type, message: ($run.error.detail // $run.error.title // "The run failed."), stack: ""}
        } | with_entries(select(.value != null))),
        workflow: {id: $run.workflow.id, name: $run.workflow.name}
      }
    else . end
)`.replaceAll(/\s*\n\s*/g, ' ')
