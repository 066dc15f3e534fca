import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { difference, fits, readSteps } from './read-page.ts'

/**
 * Runs the commands of a page one after another in one shell, and compares the output of each with the output that the page shows.
 * @returns what is not as it is shown, by its line.
 */
export async function runPage(page: string): Promise<readonly string[]> {
  const steps = readSteps(page)
  const outputs = await runAll(steps.map(({ command }) => command))
  return steps.flatMap(({ shown, line }, index) => {
    const output = outputs[index]?.trim() ?? ''
    const flaw = flawOf(shown, output)
    return flaw === undefined ? [] : [`line ${line}: ${flaw}\n${output}`]
  })
}

function flawOf(shown: ReturnType<typeof readSteps>[number]['shown'], output: string): string | undefined {
  if (shown?.syntax === 'json') return difference(JSON.parse(shown.text), JSON.parse(output))
  return fits(shown?.text.trim() ?? '', output.replaceAll('\r\n', '\n')) ? undefined : 'not as shown'
}

/** What each command prints. Files that they make lie in a folder of their own; `node` is the one that runs the tests. */
async function runAll(commands: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  const mark = '#### end of step'
  try {
    // What a command leaves in the background ends with the shell, also when the page is not as it should be.
    const begin = `PATH='${dirname(process.execPath)}':"$PATH"\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n`
    const script = begin + commands.map((command) => `${command}\nprintf '\\n${mark}\\n'\n`).join('')
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, timeout: 200_000 })
    return stdout.split(`\n${mark}\n`).slice(0, -1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
