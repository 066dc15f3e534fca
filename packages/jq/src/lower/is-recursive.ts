import type { Definition, FieldPattern, Node, Pattern } from '#src/syntax/ast.ts'

const known = new WeakMap<Definition, boolean>()

/**
 * Whether a definition can reach itself. jq has no forward references, so only a call of its own name from inside can;
 * a hidden name counts too, which at worst costs the copying of a definition.
 */
export function isRecursive(definition: Definition): boolean {
  let answer = known.get(definition)
  if (answer === undefined) {
    answer = mentions(definition.body, definition.name, definition.parameters.length)
    known.set(definition, answer)
  }
  return answer
}

function mentions(root: Node, name: string, arity: number): boolean {
  const pending: Node[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'call' && node.name === name && node.args.length === arity) return true
    pending.push(...children(node))
  }
  return false
}

/** Every expression directly inside a node, bodies of definitions and keys of patterns included. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'identity':
    case 'literal':
    case 'format':
    case 'break':
    case 'variable':
      return []
    case 'string':
      return node.parts.filter((part) => typeof part !== 'string')
    case 'index':
      return [node.target, node.key]
    case 'slice':
      return [node.target, node.from, node.to]
    case 'iterate':
      return [node.target]
    case 'try':
      return node.handler === undefined ? [node.body] : [node.body, node.handler]
    case 'negate':
      return [node.operand]
    case 'pipe':
    case 'binary':
    case 'logic':
    case 'alternative':
      return [node.left, node.right]
    case 'comma':
      return node.items
    case 'update':
      return [node.target, node.value]
    case 'if':
      return [node.condition, node.yes, node.no]
    case 'reduce':
      return [node.source, node.initial, node.update, ...node.patterns.flatMap(patternKeys)]
    case 'foreach':
      return [
        node.source,
        node.initial,
        node.update,
        ...(node.extract === undefined ? [] : [node.extract]),
        ...node.patterns.flatMap(patternKeys),
      ]
    case 'define':
      return [node.definition.body, node.body]
    case 'bind':
      return [node.source, node.body, ...node.patterns.flatMap(patternKeys)]
    case 'label':
      return [node.body]
    case 'call':
      return node.args
    case 'array':
      return node.body === undefined ? [] : [node.body]
    case 'object':
      return node.entries.flatMap((entry) => (entry.value === undefined ? [entry.key] : [entry.key, entry.value]))
  }
}

function patternKeys(pattern: Pattern): Node[] {
  if (pattern.kind === 'variable') return []
  if (pattern.kind === 'array') return pattern.items.flatMap(patternKeys)
  return pattern.fields.flatMap((field: FieldPattern) => [field.key, ...(field.value === undefined ? [] : patternKeys(field.value))])
}
