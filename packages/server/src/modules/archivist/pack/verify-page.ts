import { escaped, pageStyle } from './report-page.ts'
import { verifyScript } from './verify-script.ts'

export interface VerifyPageContent {
  readonly name: string
  readonly receipts: readonly object[]
  /** Ids of the selected executions that have no receipt. */
  readonly missing: readonly string[]
  readonly keys: readonly object[]
}

/** A page that verifies receipts with their proofs by the cryptography of the browser. It loads nothing. */
export function verifyPage({ name, receipts, missing, keys }: VerifyPageContent): string {
  // In a script element only "<" could end the data.
  const data = JSON.stringify({ receipts, missing, keys }).replaceAll('<', String.raw`\u003c`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Verify ${escaped(name)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>${pageStyle}</style></head><body><main>
<h1>Verify ${escaped(name)}</h1>
<p>This page verifies the signature of every receipt and its proof in the audit log, in this browser and without network.
Compare the keys below with the keys that you received from the installation earlier: a forger would put other keys here.</p>
<h2>Keys</h2><ul id="keys"></ul>
<h2>Receipts</h2><p id="summary" aria-live="polite">Verifying…</p>
<table><thead><tr><th>Execution</th><th>Signature</th><th>Audit log</th></tr></thead><tbody id="rows"></tbody></table>
<h2>Files</h2>
<p><label>Choose the unpacked folder to compare every file with the manifest: <input id="folder" type="file" webkitdirectory multiple></label></p>
<p id="files"></p>
<script type="application/json" id="data">${data}</script>
<script>${verifyScript}</script>
</main></body></html>
`
}
