/** Personal data that leaves the installation, and what encryption hid. */
export const leaving = {
  leaving: {
    title: 'On the way out',
    destination: 'Destination',
    destinations: { model: 'A model', connector: 'A service', webhook: 'A webhook', mail: 'A mail server' },
    host: 'Host',
    region: 'Country',
    regionHint: 'Two letters, or EU. Empty: outside of the region of this installation.',
    ask: 'May it leave?',
    notAsked: 'The decision appears here: by the consent to transfers and the privacy preferences, as for a run. It is written to the log.',
    decisions: { allow: 'It may leave', redact: 'It leaves redacted', refuse: 'It may not leave' },
    restoreTitle: 'Restore',
    encrypted: 'Redacted text',
    encryptedHint: 'With what was redacted by encryption. The restoration is written to the audit log.',
    key: 'Key',
    keyHint: '32 bytes in base64, if the redaction had one. Empty: the key of the account.',
    restore: 'Restore',
    nothingRestored: 'The restored text appears here.',
    restored: (count: number) => (count === 0 ? 'Nothing in it was encrypted' : `${count} ${count === 1 ? 'part' : 'parts'} restored`),
  },
}
