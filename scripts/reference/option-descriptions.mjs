/** Descriptions of options whose sources have no comment above them: by option, and by block type where one means something else. */

const shared = {
  accountType:
    'Whose account: `default` is that of the owner of the document, `custom` one that the document names, `custom-value` a fixed one.',
  artifacts: 'Files of the policy that the calculation can use, each with its `uuid`, `name` and `type`.',
  conditions: 'What documents must meet, each with a type, a field and a value.',
  documentType: 'The kind of document.',
  entityType: 'The type that documents get, by which sources and filters find them.',
  expression: 'What is calculated.',
  filters: 'Conditions on fields of documents; only documents that meet all of them count.',
  hideFields: 'Fields that the form does not show.',
  idType: 'The kind of id that new documents get: `DID`, `UUID`, `OWNER` or none.',
  inputSchema: 'IRI of the schema of the documents that come in.',
  memo: 'Text that goes to the ledger with the operation.',
  onlyAssignByGroupDocuments: 'Only documents that are assigned to the group of the user.',
  onlyAssignDocuments: 'Only documents that are assigned to the user.',
  onlyOwnByGroupDocuments: 'Only documents of the group of the user.',
  onlyOwnDocuments: 'Only documents of the user.',
  outputSchema: 'IRI of the schema of the documents that come out.',
  preset: 'Whether the form starts with values of another document.',
  presetFields: 'Which field takes its value from which field of the other document.',
  presetSchema: 'IRI of the schema of the other document.',
  rule: 'A formula over the fields of the document that gives the amount.',
  schema: 'IRI of the schema of the documents.',
  tokenId: 'Id of the token.',
  uiMetaData: 'Titles and texts for front ends, and what the block takes from them.',
  useTemplate: 'Whether the token is one made from `template`, and not `tokenId`.',
  user: 'Which users it is for.',
};

const special = {
  aggregateDocumentBlock: {
    aggregateType:
      'Whether documents are released when a timer fires, `period`, or when `condition` holds, `cumulative`.',
    condition: 'A formula over `expressions`; when it holds, the documents are released. For `cumulative`.',
    groupByFields: 'Fields by whose values documents are kept apart.',
  },
  calculateContainerBlock: {
    inputFields: 'Names for fields of the documents that come in, for the equations.',
    outputFields: 'Which values become which fields of the documents that come out.',
  },
  calculateMathAddon: { equations: 'Variables and their formulas, in order.' },
  calculateMathVariables: {
    sourceSchema: 'IRI of the schema of the documents that are searched.',
    selectors: 'Which document is taken: fields with the values that they must have.',
    variables: 'Names for fields of the document that was found.',
  },
  customLogicBlock: {
    documentSigner:
      'Who signs the documents: the owner of the document, the issuer of the first one, or the owner of the policy.',
  },
  documentValidatorBlock: {
    checkAssignByGroupDocument: 'The document must be assigned to the group of the user.',
    checkAssignDocument: 'The document must be assigned to the user.',
    checkOwnerByGroupDocument: 'The document must be one of the group of the user.',
    checkOwnerDocument: 'The document must be one of the user.',
    documentType: 'The kind of document that is let through: `vc-document`, `vp-document` or related ones.',
    schema: 'IRI of the schema that documents must have.',
  },
  documentsSourceAddon: {
    orderDirection: 'Ascending or descending.',
    orderField: 'Field by which documents are ordered.',
    schema: 'IRI of the schema that documents must have.',
  },
  filtersAddon: {
    optionValue: 'Path in a document to the value of an option.',
    type: 'How values are offered: as a dropdown.',
  },
  groupManagerBlock: {
    canDelete: 'Who may remove members: everybody in the group, or its owner.',
    canInvite: 'Who may invite others: everybody in the group, or its owner.',
  },
  historyAddon: { timelineDescriptionPath: 'Path in a document to the text of an entry.' },
  httpRequestUIAddon: { headers: 'Headers of the request.', method: 'Method of the request.' },
  transformationButtonBlock: { type: 'For front ends.' },
  httpRequestBlock: { headers: 'Headers of the request.', method: 'Method of the request.' },
  impactAddon: {
    description: 'Text on the impact.',
    impactType: 'Whether it is a primary or a secondary impact.',
    label: 'Title of the impact.',
    unit: 'Unit of the amount.',
  },
  interfaceActionBlock: {
    schema: 'IRI of the schema of the document that can be downloaded.',
    targetUrl: 'Address that a downloaded configuration names.',
    user: 'Whose row it is: `field` names the owner in it, otherwise the user.',
    value: 'Path in a document to the value of an option.',
  },
  module: {
    inputEvents: 'Ports at which events come in, by name.',
    outputEvents: 'Ports at which events go out, by name.',
  },
  tool: {
    inputEvents: 'Ports at which events come in, by name.',
    outputEvents: 'Ports at which events go out, by name.',
  },
  multiSignBlock: { type: 'For front ends.' },
  notificationBlock: {
    message: 'Text of the notification.',
    title: 'Title of the notification.',
    type: 'Whether it informs, reports a success, warns, or reports an error.',
    user: 'Who is told: everybody, the user, the owner of the policy, the owner of the document, or a role.',
  },
  reportItemBlock: {
    description: 'Text of the entry; fields of its document can be named in it.',
    icon: 'Picture of the entry, for front ends.',
    iconType: 'Where the picture comes from.',
    title: 'Title of the entry.',
  },
  globalEventsReaderBlock: {
    eventTopics: 'The streams that are read: `topicId`, and whether a user follows it from the beginning (`active`).',
    branches:
      'Outputs: documents of this type (`vc`, `json`, `csv`, `text`, `any`) and schema go out at `branchEvent`.',
    showNextButton: 'Whether front ends offer to read now.',
  },
  globalEventsWriterBlock: {
    topicIds: 'The streams that documents are announced on: `topicId`, `active`, and the `documentType` that is said.',
    showNextButton: 'Whether the data goes on only when the user says so.',
  },
  retirementDocumentBlock: {
    serialNumbersExpression:
      'The serials of a non-fungible token, such as `1, 5-8, field`: each number is a formula, a minus makes a range. Empty: the lowest, as many as the rule says.',
  },
  revocationBlock: { prevDocStatus: 'Status that the earlier documents get.' },
  sendToGuardianBlock: {
    dataSource: 'Where documents go: `database`, or `hedera` for the ledger. `auto` decides by the document.',
    dataType: 'The same in the older form of the format.',
    topic: 'Name of the topic that messages are sent to.',
    topicOwner: 'Whose topic it is: that of the user, of the owner of the document, or of its issuer.',
  },
  setRelationshipsBlock: {
    changeOwner: 'Whether the document also gets the owner of the other documents.',
    includeAccounts: 'Whether accounts of the other documents are taken over.',
    includeTokens: 'Whether tokens of the other documents are taken over.',
  },
  switchBlock: {
    conditions: 'Branches with their formulas and who they run for; each has an output of its own.',
    executionFlow: 'Whether only the first branch that holds is taken, or all of them.',
  },
  externalDataBlock: {
    allowNonMembers: 'Whether identities that are neither members of the policy nor registered devices may send data.',
  },
  mintDocumentBlock: { roundMethod: 'How an amount with more decimals than the token is rounded.' },
  timerBlock: {
    endDate: 'Last moment of the timer.',
    period: 'How often it fires: every hour, day, week, month or year, or by `periodMask`.',
    periodMask: 'A cron expression, for a period of its own.',
    startDate:
      'From when the timer counts, in UTC without an offset. The first tick is one period later (`periodInterval` of them), or at the next moment of the mask.',
  },
  tokenActionBlock: { action: 'What is done with the token and the account.' },
  tokenConfirmationBlock: { action: 'What the user confirms.' },
};

/** What an option means; `undefined` where nobody has written it down. */
export const describeOption = (type, name, comments) =>
  special[type]?.[name] ?? comments.get(type)?.get(name) ?? shared[name];
