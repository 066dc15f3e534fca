import { type AnyOperation, errorCatalogue, errorsOf, scopeCatalogue } from '@millrace/contract'
import { curlOf } from './curl.ts'
import { type Html, html, inline, prose } from '#platform/html.ts'
import { type Node, nodeOf, schemaView, typeOf } from './schema-view.ts'

/** One operation of the reference page; `aliases` are the other paths that lead to it. */
export function operationView(op: AnyOperation, aliases: readonly AnyOperation[], described: Node, components: Node): Html {
  const words = [op, ...aliases].map((way) => `${way.method} ${way.path} ${way.id}`)
  return html`<section class="operation" id="${op.id}" data-find="${[...words, op.summary].join(' ').toLowerCase()}">
    <h3><a href="#${op.id}">${op.summary}</a></h3>
    ${[op, ...aliases].map((way) => html`<p class="route"><span class="method ${way.method.toLowerCase()}">${way.method}</span> <code>${way.path}</code></p>`)}
    ${op.description === undefined ? undefined : prose(op.description)}
    <p class="facts">${facts(op).map((fact) => html`<span class="fact">${inline(fact)}</span>`)}</p>
    ${parametersView(described, components)}
    ${requestView(described, components)}
    <h4>Try it</h4>
    <div class="code"><button class="copy" type="button">Copy</button><pre><code>${curlOf(op, described)}</code></pre></div>
    ${replyView(described, components)}
    ${errorsView(op)}
  </section>`
}

function errorsView(op: AnyOperation): Html {
  const codes = [...errorsOf(op)].toSorted((a, b) => errorCatalogue[a].status - errorCatalogue[b].status)
  return html`<details class="errors"><summary>Errors</summary>
    <table><thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead><tbody>
    ${codes.map(
      (code) =>
        html`<tr><td>${errorCatalogue[code].status}</td><td><a href="#error-${code}"><code>${code}</code></a></td><td>${inline(errorCatalogue[code].detail)}</td></tr>`,
    )}
    </tbody></table>
  </details>`
}

function facts(op: AnyOperation): readonly string[] {
  const known: string[] = []
  if (op.auth === 'public') known.push('no credential needed')
  else known.push(`scope \`${op.auth.scope}\`${scopeCatalogue[op.auth.scope].grantable ? '' : ', which no API key can have'}`)
  if (op.role !== undefined) known.push(op.role === 'operator' ? 'operators only' : `role \`${op.role}\` or higher`)
  if (op.rateLimit !== 'default') known.push(`tighter rate limit: ${op.rateLimit}`)
  if (op.flag !== undefined) known.push(`only with the flag \`${op.flag}\``)
  if (op.stability !== 'stable') known.push(op.stability)
  return known
}

function parametersView(described: Node, components: Node): Html | undefined {
  const parameters = (Array.isArray(described.parameters) ? described.parameters : [])
    .map(nodeOf)
    .filter((node) => typeof node.name === 'string')
  if (parameters.length === 0) return undefined
  return html`<h4>Parameters</h4><ul class="members">${parameters.map(
    (
      node,
    ) => html`<li><span class="name">${String(node.name)}</span> <span class="type">${typeOf(node.schema, components)} in ${String(node.in)}</span>
      ${node.required === true ? undefined : html`<span class="optional">optional</span>`}
      ${typeof node.description === 'string' ? html`<span class="says">${inline(node.description)}</span>` : undefined}
      ${choices(nodeOf(node.schema))}</li>`,
  )}</ul>`
}

function choices(schema: Node): Html | undefined {
  const said = [
    Array.isArray(schema.enum) ? `one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}` : undefined,
    schema.default === undefined ? undefined : `default \`${JSON.stringify(schema.default)}\``,
  ].filter((fact) => fact !== undefined)
  return said.length === 0 ? undefined : html`<span class="facts">${inline(said.join('; '))}</span>`
}

function requestView(described: Node, components: Node): Html | undefined {
  const content = nodeOf(nodeOf(described.requestBody).content)
  if (Object.keys(content).length === 0) return undefined
  return html`<h4>Body</h4>
    <p class="media">${Object.keys(content).map((type, index) => html`${index === 0 ? '' : ' or '}<code>${type}</code>`)}</p>
    ${schemaView(nodeOf(content['application/json']).schema, components)}`
}

function replyView(described: Node, components: Node): Html {
  const media = nodeOf(nodeOf(nodeOf(nodeOf(described.responses)['200']).content)['application/json'])
  return html`<h4>Answer</h4>
    <details><summary>200 <span class="type">${typeOf(media.schema, components)}</span></summary>
      ${schemaView(media.schema, components)}
      <div class="code"><button class="copy" type="button">Copy</button><pre><code>${JSON.stringify(media.example, null, 2)}</code></pre></div>
    </details>`
}
