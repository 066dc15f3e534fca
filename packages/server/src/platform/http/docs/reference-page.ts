import {
  type AnyOperation,
  errorCatalogue,
  errorCodes,
  isAlias,
  type OpenApiDocument,
  type OperationGroup,
  scopeCatalogue,
  scopes,
} from '@millrace/contract'
import { type Html, html, inline, prose } from '#platform/html.ts'
import { operationView } from './operation-view.ts'
import { nodeOf } from './schema-view.ts'

/** The reference page of the given operations: complete without its script, which only finds, folds and copies. */
export function referencePage(document: OpenApiDocument, groups: Readonly<Record<string, OperationGroup>>): string {
  const operations = Object.values(groups).flatMap((group) => Object.values(group))
  const aliases = Map.groupBy(operations.filter(isAlias), (op) => op.aliasOf)
  const byTag = Map.groupBy(
    operations.filter((op) => !isAlias(op)),
    (op) => tagOf(op, document),
  )
  const components = nodeOf(document.components.schemas)
  const tags = document.tags.filter((tag) => byTag.has(tag.name))
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Millrace API ${document.info.version}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
  <button id="menu" type="button" aria-expanded="false" aria-controls="nav">Contents</button>
  <a class="brand" href="#top">Millrace <span>API ${document.info.version}</span></a>
  <input id="find" type="search" placeholder="Find an operation ( / )" aria-label="Find an operation" autocomplete="off">
  <a class="raw" href="/api/v1/openapi.json">OpenAPI</a>
  <button id="theme" type="button" aria-label="Light or dark">Theme</button>
</header>
<nav id="nav" aria-label="Contents">
  <a href="#start">First steps</a>
  ${tags.map((tag) => html`<div class="tag"><a href="#tag-${tag.name}">${tag.name}</a><ul>${(byTag.get(tag.name) ?? []).map(navEntry)}</ul></div>`)}
  <a href="#scopes">Scopes</a>
  <a href="#errors">Errors</a>
</nav>
<main id="content">
  <section id="top"><h1>Millrace API</h1>${prose(document.info.description)}</section>
  ${firstSteps}
  <p id="nothing" hidden>No operation matches.</p>
  ${tags.map(
    (
      tag,
    ) => html`<section class="group"><h2 id="tag-${tag.name}">${tag.name}</h2>${tag.description === undefined ? undefined : prose(tag.description)}
    ${(byTag.get(tag.name) ?? []).map((op) => operationView(op, aliases.get(op.id) ?? [], nodeOf(document.paths[op.path]?.[op.method.toLowerCase()]), components))}</section>`,
  )}
  ${scopesView()}
  ${errorsView()}
</main>
</body>
</html>`
  return page.text
}

const firstSteps = html`<section id="start"><h2>First steps</h2>
  <p>With nothing but <code>curl</code>: register, keep the token, create a workflow, run it.</p>
  <div class="code"><button class="copy" type="button">Copy</button><pre><code>${`export MILLRACE=http://127.0.0.1:3000

TOKEN=$(curl -s "$MILLRACE/api/v1/auth/register" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "ada@example.com", "password": "correct horse battery staple"}' \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')

WORKFLOW=$(curl -s "$MILLRACE/api/v1/workflows" -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/yaml" --data-binary '
document: { dsl: 1.0.3, namespace: examples, name: greeting, version: 1.0.0 }
do:
  - greet:
      set:
        message: \${ "Hello, " + .name }
' | sed 's/^{"id":"\\([^"]*\\)".*/\\1/')

curl -s "$MILLRACE/api/v1/execute/$WORKFLOW/run" -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" -d '{"input": {"name": "Ada"}}'`}</code></pre></div></section>`

function navEntry(op: AnyOperation): Html {
  return html`<li data-for="${op.id}"><a href="#${op.id}"><span class="method ${op.method.toLowerCase()}">${op.method}</span> ${op.summary}</a></li>`
}

function scopesView(): Html {
  return html`<section><h2 id="scopes">Scopes</h2><table><thead><tr><th>Scope</th><th>Allows</th><th>API keys</th></tr></thead><tbody>
  ${scopes.map((scope) => html`<tr><td><code>${scope}</code></td><td>${scopeCatalogue[scope].description}</td><td>${scopeCatalogue[scope].grantable ? 'yes' : 'never'}</td></tr>`)}
  </tbody></table></section>`
}

function errorsView(): Html {
  return html`<section><h2 id="errors">Errors</h2><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
  ${errorCodes.map((code) => html`<tr id="error-${code}"><td>${errorCatalogue[code].status}</td><td><code>${code}</code></td><td>${inline(errorCatalogue[code].detail)}</td></tr>`)}
  </tbody></table></section>`
}

function tagOf(op: AnyOperation, document: OpenApiDocument): string {
  const { tags } = nodeOf(document.paths[op.path]?.[op.method.toLowerCase()])
  return Array.isArray(tags) && typeof tags[0] === 'string' ? tags[0] : ''
}
