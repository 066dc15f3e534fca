import { escaped, pageStyle } from './report-page.ts'
import { verifyScript } from './verify-script.ts'

export interface VerifyPageContent {
  readonly name: string
  readonly receipts: readonly object[]
  /** Ids of executions in which data of a person was erased. */
  readonly erased: readonly string[]
  /** Ids of the selected executions that have no receipt. */
  readonly missing: readonly string[]
  readonly keys: readonly object[]
  /** The last line of each exported day: its checkpoints, and the anchor with what others state about it. */
  readonly days: readonly object[]
}

/** A page that verifies receipts with their proofs by the cryptography of the browser. It loads nothing. */
export function verifyPage({ name, receipts, erased, missing, keys, days }: VerifyPageContent): string {
  // In a script element only "<" could end the data.
  const data = JSON.stringify({ receipts, erased, missing, keys, days }).replaceAll('<', String.raw`\u003c`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Verify ${escaped(name)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>${pageStyle}</style></head><body><main>
<h1>Verify ${escaped(name)}</h1>
<p>This page verifies the signature of every receipt and its proof in the audit log, in this browser and without network.
Compare the keys below with the keys that you received from the installation earlier: a forger would put other keys here.</p>
<h2>Keys</h2><ul id="keys"></ul>
<h2>Receipts</h2><p id="summary" aria-live="polite">Verifying…</p>
<table><thead><tr><th>Execution</th><th>Signature</th><th>Audit log</th><th>Record</th></tr></thead><tbody id="rows"></tbody></table>
<h2>Days of the audit log</h2>
<p>An anchor shows that witnesses and a time stamp authority have seen the log. <label>Keys of witnesses (name+id+base64), one on each line, as you got them from the witnesses:
<textarea id="witnesses" rows="2" cols="80"></textarea></label>
The signature and the certificate of a time stamp are verified by <code>millrace verify pack --tsa</code>; this page only checks that the stamp covers this anchor.</p>
<table><thead><tr><th>Day</th><th>Anchor</th><th>Witnesses</th><th>Time stamp</th></tr></thead><tbody id="day-rows"></tbody></table>
<h2>Files</h2>
<p><label>Choose the unpacked folder to compare every file with the manifest: <input id="folder" type="file" webkitdirectory multiple></label></p>
<p id="files"></p>
<script type="application/json" id="data">${data}</script>
<script>${verifyScript}</script>
</main></body></html>
`
}
