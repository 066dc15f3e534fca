import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from '@millrace/server/testing/chromium'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { webRoot } from '#build/paths.ts'
import type { RunRecord, Walked } from '#src/rehearse/run-record.ts'

// "npm run ledger:proofs FILE": proves the executions of `npm run ledger -- 1000 50 --records FILE` in Chromium, those that were altered too, and compares
// each with the verdict of the verifier behind `millrace verify`. Ends with 1 when one differs.
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file that "npm run ledger -- 1000 50 --records FILE" wrote')

interface Line {
  /** Of Millrace, as the execution saw it. */
  readonly version: string
  readonly verdict: 'same' | 'different'
  readonly alteration?: string
  readonly record: RunRecord
}

const origin = 'http://proofs.test'
const chunk = 50
/** As the server sends it with the UI, as far as scripts go. */
const policy = `default-src 'none'; script-src 'self'; require-trusted-types-for 'script'`

const lines = (await readFile(file, 'utf8'))
  .trim()
  .split('\n')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by packages/engine/test/crash/write-records.ts.
  .map((line) => JSON.parse(line) as Line)
const browser = await launchChromium()
try {
  const page = await openPage(await bundle())
  const began = performance.now()
  const found: string[] = []
  for (let at = 0; at < lines.length; at += chunk) {
    found.push(...(await prove(page, lines.slice(at, at + chunk))))
  }
  const ms = performance.now() - began
  const differing = lines.flatMap((line, index) =>
    line.verdict === found[index] ? [] : [`${nameOf(line)}: here ${line.verdict}, in the browser ${found[index]}`],
  )
  const altered = lines.filter(({ alteration }) => alteration !== undefined)
  console.log(
    `Chromium ${browser.version()}: ${lines.length - altered.length} executions and ${altered.length} altered copies in ${Math.round(ms)} ms`,
  )
  console.log(`verdicts that agree: ${lines.length - differing.length} of ${lines.length}`)
  for (const [alteration, all] of Map.groupBy(altered, (line) => line.alteration))
    console.log(`  ${alteration}: ${all.filter(({ verdict }) => verdict === 'different').length} of ${all.length} found`)
  for (const one of differing.slice(0, 50)) console.log(one)
  if (differing.length > 0) process.exitCode = 1
} finally {
  await browser.close()
}

function nameOf({ record, alteration }: Line): string {
  return alteration === undefined ? record.executionId : `${record.executionId} with ${alteration}`
}

/** The module of the web UI that proves a run, as one file. */
async function bundle(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'millrace-proofs-'))
  try {
    const entry = join(webRoot, 'src/rehearse/run-record.ts')
    await build({
      root: webRoot,
      configFile: false,
      logLevel: 'warn',
      mode: 'production',
      build: {
        outDir,
        emptyOutDir: true,
        lib: { entry, formats: ['es'], fileName: () => 'proofs.js' },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    })
    return await readFile(join(outDir, 'proofs.js'), 'utf8')
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

async function openPage(script: string): Promise<Page> {
  const page = await browser.newPage()
  await page.route(`${origin}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': policy },
          body: '<!doctype html><title>Proofs</title>',
        }),
  )
  await page.goto(`${origin}/`)
  return page
}

function prove(page: Page, chosen: readonly Line[]): Promise<readonly string[]> {
  return page.evaluate(async (text) => {
    const address = '/proofs.js'
    const { walkRecord }: { walkRecord(record: unknown, version: string): Promise<Walked> } = await import(address)
    const all: readonly { readonly record: unknown; readonly version: string }[] = JSON.parse(text)
    const kinds: string[] = []
    for (const { record, version } of all) kinds.push(await walkRecord(record, version).then(({ kind }) => kind, String))
    return kinds
  }, JSON.stringify(chosen))
}
