/** A definition of about 500 steps: calls, data, branches, loops and tries, as people build them. */
export function largeDefinition(steps: number): string {
  const lines = ['document: { dsl: 1.0.3, namespace: bench, name: large, version: 1.0.0 }', 'do:']
  for (let index = 0, made = 0; made < steps; index++) {
    const block = blockOf(index)
    lines.push(...block.lines)
    made += block.steps
  }
  return `${lines.join('\n')}\n`
}

/** Ten steps that belong together. */
function blockOf(index: number): { readonly lines: readonly string[]; readonly steps: number } {
  const text = `
  # the order number ${index}
  - fetch${index}:
      call: http
      with: { method: get, endpoint: "https://shop.example/orders/{id}", headers: { accept: application/json } }
  - price${index}: { set: { id: ${index}, total: "\${ .total // 0 | . * 1.2 }", name: "\${ $steps.fetch${index}.name // \\"none\\" }" } }
  - route${index}:
      do:
        - choose:
            switch:
              - large: { when: "\${ .total > ${index} }", then: large }
              - otherwise: { then: otherwise }
        - large: { do: [{ ask: { set: { asked: true } } }], then: exit }
        - otherwise: { do: [{ pay: { set: { paid: "\${ .total }" } } }], then: exit }
  - each${index}:
      for: { each: line, in: "\${ [1, 2, 3] }" }
      do:
        - line: { set: { value: "\${ $line * 2 }" } }
  - keep${index}: { if: "\${ .value > 2 }", set: { kept: "\${ . }" } }`
  return { lines: text.slice(1).split('\n'), steps: 10 }
}
