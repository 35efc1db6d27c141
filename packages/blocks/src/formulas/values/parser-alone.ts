/**
 * The parser of mathjs and its decimal numbers, made from their own modules: in a bundle they take a fifth of the time of the
 * whole library. Nothing here evaluates, so what nodes would need for that is left out.
 */
import {
  createAccessorNode,
  createArrayNode,
  createAssignmentNode,
  createBignumber,
  createBigNumberClass,
  createBlockNode,
  createConditionalNode,
  createConstantNode,
  createFunctionAssignmentNode,
  createFunctionNode,
  createIndexNode,
  createNode,
  createNumber,
  createNumeric,
  createObjectNode,
  createOperatorNode,
  createParenthesisNode,
  createParse,
  createRangeNode,
  createRelationalNode,
  createSymbolNode,
  createTyped,
} from 'mathjs';
import { PRECISION, type MathjsParts } from './parts.js';

/** The factories that make parts of the library from the parts that they depend on: its typings leave them out. */
declare module 'mathjs' {
  const createAccessorNode: (parts: object) => unknown;
  const createArrayNode: (parts: object) => unknown;
  const createAssignmentNode: (parts: object) => unknown;
  const createBignumber: (parts: object) => unknown;
  const createBigNumberClass: (parts: object) => MathjsParts['Decimal'];
  const createBlockNode: (parts: object) => unknown;
  const createConditionalNode: (parts: object) => unknown;
  const createConstantNode: (parts: object) => unknown;
  const createFunctionAssignmentNode: (parts: object) => unknown;
  const createFunctionNode: (parts: object) => unknown;
  const createIndexNode: (parts: object) => unknown;
  const createNode: (parts: object) => unknown;
  const createNumber: (parts: object) => unknown;
  const createNumeric: (parts: object) => unknown;
  const createObjectNode: (parts: object) => unknown;
  const createOperatorNode: (parts: object) => unknown;
  const createParenthesisNode: (parts: object) => unknown;
  const createParse: (parts: object) => MathjsParts['parse'];
  const createRangeNode: (parts: object) => unknown;
  const createRelationalNode: (parts: object) => unknown;
  const createSymbolNode: (parts: object) => unknown;
  const createTyped: (parts: object) => unknown;
}

const notHere = (): never => {
  throw new Error('The parser of formulas does not evaluate them.');
};

export function loadParts(): MathjsParts {
  const config = { number: 'BigNumber', precision: PRECISION };
  const BigNumber = createBigNumberClass({ config });
  const typed = createTyped({ BigNumber });
  const numeric = createNumeric({ number: createNumber({ typed }), bignumber: createBignumber({ typed, BigNumber }) });
  const Node = createNode({ mathWithTransform: {} });
  const math = {};
  const SymbolNode = createSymbolNode({ math, Node });
  const parts = {
    math,
    typed,
    Node,
    SymbolNode,
    subset: notHere,
    size: notHere,
    isBounded: notHere,
    ResultSet: notHere,
  };
  const parse = createParse({
    typed,
    numeric,
    config,
    SymbolNode,
    AccessorNode: createAccessorNode(parts),
    ArrayNode: createArrayNode(parts),
    AssignmentNode: createAssignmentNode(parts),
    BlockNode: createBlockNode(parts),
    ConditionalNode: createConditionalNode(parts),
    ConstantNode: createConstantNode(parts),
    FunctionAssignmentNode: createFunctionAssignmentNode(parts),
    FunctionNode: createFunctionNode(parts),
    IndexNode: createIndexNode(parts),
    ObjectNode: createObjectNode(parts),
    OperatorNode: createOperatorNode(parts),
    ParenthesisNode: createParenthesisNode(parts),
    RangeNode: createRangeNode(parts),
    RelationalNode: createRelationalNode(parts),
  });
  return { parse: (expression) => parse(expression), Decimal: BigNumber };
}
