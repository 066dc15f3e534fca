/** An order with an approval: a branch, a loop, a decision by the person who made it, an event. It needs neither credential nor network. */
export function exampleDefinition(tag: string, email: string): string {
  return `# An order: its total decides whether a person is asked. Change the limit in "route" and run it again.
document:
  dsl: 1.0.3
  namespace: examples
  name: order-intake-${tag}
  version: 1.0.0
  title: Order intake
  summary: An order with an approval above 1,000.
  metadata:
    labels: { customer: '\${ .customer }' }
input:
  schema:
    document:
      type: object
      required: [customer, lines]
      properties:
        customer: { type: string }
        lines:
          type: array
          items:
            type: object
            properties:
              sku: { type: string }
              quantity: { type: number }
              price: { type: number }
      examples:
        - customer: Meridian Tea
          lines:
            - { sku: kettle, quantity: 2, price: 480 }
            - { sku: cups, quantity: 24, price: 6.5 }
            - { sku: tray, quantity: 3, price: 40 }
do:
  - price:
      set:
        customer: \${ .customer }
        lines: \${ .lines }
        total: \${ .lines | map(.quantity * .price) | add }
  - route:
      switch:
        - large:
            when: \${ .total > 1000 }
            then: ask
        - small:
            then: accept
  - accept:
      set:
        approved: true
        by: the limit
      then: each
  - ask:
      call: approve
      with:
        title: \${ "Take the order of \\(.customer) for \\(.total)" }
        details: \${ { customer, total } }
        approvers: ['${email.replaceAll("'", "''")}']
        excludeStarter: false
        deadline: P3D
  - each:
      for:
        each: line
        in: \${ $steps.price.lines }
      do:
        - reserve:
            set:
              sku: \${ $line.sku }
              reserved: \${ $line.quantity }
  - settle:
      wait:
        seconds: 1
  - announce:
      emit:
        event:
          with:
            source: https://example.com/orders
            type: com.example.order.taken
            data:
              customer: \${ $steps.price.customer }
              total: \${ $steps.price.total }
  - summary:
      set:
        customer: \${ $steps.price.customer }
        total: \${ $steps.price.total }
        lines: \${ $steps.price.lines | length }
`
}

/** One step, to begin with. */
export function emptyDefinition(tag: string): string {
  return `document:
  dsl: 1.0.3
  namespace: mine
  name: first-${tag}
  version: 1.0.0
do:
  - greet:
      set:
        message: \${ "Hello, " + (.name // "world") }
`
}
