import { onDemand } from '#src/ui/on-demand.tsx'
import { JsonView } from '#src/values/json-view.tsx'

const RunFiles = onDemand(() => import('#src/run/run-files.tsx').then((module) => module.RunFiles))

/** A value of a run, with the files that it names. */
export function RunValue({ run, value }: { readonly run: string; readonly value: unknown }) {
  return (
    <>
      <JsonView value={value} />
      {mayNameFiles(value) && <RunFiles run={run} value={value} />}
    </>
  )
}

/** Whether a value may name a file: most have no text with a slash or a dot inside, and are not asked about. */
function mayNameFiles(value: unknown): boolean {
  return /"[^"]*[./][^"]+"/.test(JSON.stringify(value) ?? '')
}
