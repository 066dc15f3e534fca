import { type Html, html, inline } from '#platform/html.ts'

export type Node = Readonly<Record<string, unknown>>

const depthMax = 3

/** The members of a schema as a nested list, as deep as people read; named schemas are opened at their first levels. */
export function schemaView(schema: unknown, components: Node, depth = 0): Html | undefined {
  const node = resolve(schema, components)
  if (Array.isArray(node.anyOf) && depth === 0) {
    const views = node.anyOf.map((option: unknown) => ({ title: titleOf(option, components), view: schemaView(option, components, 1) }))
    return html`${views.map(({ title, view }, index) => html`${index === 0 ? undefined : html`<p class="or">or ${title}</p>`}${view}`)}`
  }
  if (node.type === 'array') return schemaView(node.items, components, depth)
  const members = Object.entries(nodeOf(node.properties))
  if (members.length === 0 || depth > depthMax) return undefined
  const required = new Set<unknown>(Array.isArray(node.required) ? node.required : [])
  return html`<ul class="members">${members.map(([name, member]) => memberView(name, member, required.has(name), components, depth))}</ul>`
}

function memberView(name: string, member: unknown, required: boolean, components: Node, depth: number): Html {
  const node = resolve(member, components)
  const inner = schemaView(nonNull(node), components, depth + 1)
  const description = nodeOf(member).description ?? node.description
  return html`<li>
    <span class="name">${name}</span> <span class="type">${typeOf(member, components)}</span>
    ${required ? undefined : html`<span class="optional">optional</span>`}
    ${typeof description === 'string' ? html`<span class="says">${inline(description)}</span>` : undefined}
    ${constraints(node)}
    ${inner === undefined ? undefined : html`<details><summary>members</summary>${inner}</details>`}
  </li>`
}

/** A type in words: `array of Diagnostic`, `text or null`. */
export function typeOf(schema: unknown, components: Node): string {
  const node = nodeOf(schema)
  if (typeof node.$ref === 'string') {
    const name = node.$ref.slice('#/components/schemas/'.length)
    const target = resolve(node, components)
    return target.type === 'object' ? name : typeOf(target, components)
  }
  if (Array.isArray(node.anyOf)) return node.anyOf.map((option: unknown) => typeOf(option, components)).join(' or ')
  if (Array.isArray(node.type)) return node.type.map((type: unknown) => word(type, node)).join(' or ')
  if (node.type === 'array') return `array of ${typeOf(node.items, components)}`
  return word(node.type, node)
}

function word(type: unknown, node: Node): string {
  if (type === 'string') return node.format === 'date-time' ? 'time' : node.format === 'duration' ? 'duration' : 'string'
  return typeof type === 'string' ? type : node.const === undefined ? 'any JSON' : JSON.stringify(node.const)
}

function constraints(node: Node): Html | undefined {
  const facts: string[] = []
  const { enum: choices } = node.type === 'array' ? nodeOf(node.items) : node
  if (Array.isArray(choices))
    facts.push(`${node.type === 'array' ? 'each ' : ''}one of ${choices.map((value) => `\`${value}\``).join(', ')}`)
  if (node.default !== undefined) facts.push(`default \`${JSON.stringify(node.default)}\``)
  if (typeof node.minimum === 'number' || typeof node.maximum === 'number') facts.push(range(node.minimum, node.maximum, ''))
  if (typeof node.maxLength === 'number') facts.push(range(node.minLength, node.maxLength, ' characters'))
  if (typeof node.maxItems === 'number') facts.push(range(node.minItems, node.maxItems, ' entries'))
  return facts.length === 0 ? undefined : html`<span class="facts">${inline(facts.join('; '))}</span>`
}

function range(from: unknown, to: unknown, unit: string): string {
  if (typeof to !== 'number') return `at least ${String(from)}${unit}`
  return typeof from === 'number' ? `${from} to ${to}${unit}` : `at most ${to}${unit}`
}

function nonNull(node: Node): unknown {
  if (!Array.isArray(node.anyOf)) return node
  return node.anyOf.find((option: unknown) => nodeOf(option).type !== 'null')
}

function titleOf(option: unknown, components: Node): string {
  const { title } = resolve(option, components)
  return typeof title === 'string' ? title.toLowerCase() : typeOf(option, components)
}

export function resolve(schema: unknown, components: Node): Node {
  const node = nodeOf(schema)
  return typeof node.$ref === 'string' ? nodeOf(components[node.$ref.slice('#/components/schemas/'.length)]) : node
}

export function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {}
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
