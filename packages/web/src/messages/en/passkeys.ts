/** Passkeys: key pairs of devices that sign in. */
export const passkeys = {
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in by the fingerprint, face or code that unlocks your device. A passkey needs no second step, and works on no other site.',
    unavailable: 'Passkeys need a host name: open this installation by its name, not by a numeric address.',
    use: 'Use a passkey',
    add: 'Add a passkey',
    addText: 'Your browser asks where to keep it: on this device, in a password manager, or on a security key.',
    name: 'Name',
    nameHint: 'What you recognise it by, such as the device.',
    synced: 'synced',
    added: 'added',
    used: 'used',
    remove: 'Remove passkey',
    removeNamed: (name: string) => `Remove ${name}`,
    removeText: (name: string) => `${name} signs in no longer. All other sessions end.`,
  },
}
