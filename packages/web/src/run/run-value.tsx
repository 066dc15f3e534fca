import { costOfResult } from '#src/models/cost-of-result.ts'
import { onDemand } from '#src/ui/on-demand.tsx'
import { JsonView } from '#src/values/json-view.tsx'

const ResultCost = onDemand(() => import('#src/models/result-cost.tsx').then((module) => module.ResultCost))
const RunFiles = onDemand(() => import('#src/run/run-files.tsx').then((module) => module.RunFiles))

/** A value of a run, with the files that it names, and with what it cost where a model gave it. */
export function RunValue({ run, value }: { readonly run: string; readonly value: unknown }) {
  const cost = costOfResult(value)
  return (
    <>
      {cost !== undefined && <ResultCost cost={cost} />}
      <JsonView value={value} />
      {mayNameFiles(value) && <RunFiles run={run} value={value} />}
    </>
  )
}

/** Whether a value may name a file: most have no text with a slash or a dot inside, and are not asked about. */
function mayNameFiles(value: unknown): boolean {
  return /"[^"]*[./][^"]+"/.test(JSON.stringify(value) ?? '')
}
