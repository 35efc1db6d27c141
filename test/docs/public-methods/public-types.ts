/** The public functions and methods of the packages, read from their types: parameters and comments. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A function or method, and its parameters that are objects. */
export interface Callable {
  /** As it is reached: `startTelemetry`, or `requests.list`. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** What its comment says. */
  readonly comment: string;
  /** What the comment of its class says. */
  readonly holder: string;
  /** The code of its `@example`; empty without one. */
  readonly example: string;
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isObject: boolean;
}

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
/** Of a package, or of a part of it: `core`, or `core/block`. */
const entryOf = (name: string): string => {
  const [folder = '', part = 'index'] = name.split('/');
  return `${packages}/${folder}/src/${part}.ts`;
};

export class PublicTypes {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(names: readonly string[]) {
    this.#program = ts.createProgram(names.map(entryOf), {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      // The packages from their sources, which need no build.
      paths: {
        ...Object.fromEntries(
          ['client', 'contract', 'core', 'otel', 'testing'].map((name) => [
            `@blockwork/${name}/*`,
            [`${packages}/${name}/src/*.ts`],
          ]),
        ),
        '@blockwork/*': [`${packages}/*/src/index.ts`],
      },
    });
    this.#checker = this.#program.getTypeChecker();
  }

  /** The functions that a package exports. */
  functions(of: string): Callable[] {
    return this.#exports(of).flatMap(({ name, symbol }) =>
      this.#checker
        .getTypeOfSymbol(symbol)
        .getCallSignatures()
        .map((signature) => this.#callable(name, signature, '')),
    );
  }

  /** The public methods of a class or interface that a package exports, and of those that its members are. */
  methods(of: string, type: string): Callable[] {
    const declared = this.#exports(of).find(({ name }) => name === type);
    if (declared === undefined) throw new Error(`${of} exports no ${type}.`);
    return this.#methodsOf(this.#checker.getDeclaredTypeOfSymbol(declared.symbol), '', new Set());
  }

  #methodsOf(type: ts.Type, prefix: string, holders: ReadonlySet<ts.Type>): Callable[] {
    if (holders.has(type)) return [];
    const within = new Set([...holders, type]);
    const holder = this.#comment(type.getSymbol());
    return type.getProperties().flatMap((property) => {
      const { valueDeclaration: declared, name } = property;
      if (declared === undefined || /^(__)?#/.test(name)) return [];
      if ((ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Private) !== 0) return [];
      const ownType = this.#checker.getTypeOfSymbol(property);
      const signatures = ownType.getCallSignatures();
      if (signatures.length > 0)
        return signatures.map((signature) => this.#callable(prefix + name, signature, holder, property));
      return this.#isOwn(ownType) ? this.#methodsOf(ownType, `${prefix}${name}.`, within) : [];
    });
  }

  /** A class or interface of the packages. */
  #isOwn(type: ts.Type): boolean {
    const [declared] = type.getSymbol()?.declarations ?? [];
    return type.isClassOrInterface() && declared?.getSourceFile().fileName.startsWith(packages) === true;
  }

  /** The comment of a property that is a function stands at the property. */
  #callable(name: string, signature: ts.Signature, holder: string, property?: ts.Symbol): Callable {
    const parameters = signature.getParameters().map((parameter) => {
      const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(parameter));
      return { name: parameter.name, type: this.#checker.typeToString(type), isObject: this.#isObject(type) };
    });
    const tags = [...signature.getJsDocTags(), ...(property?.getJsDocTags(this.#checker) ?? [])];
    const example = tags.find((tag) => tag.name === 'example');
    return {
      name,
      parameters,
      comment: this.#comment(signature) || this.#comment(property),
      holder,
      example: ts.displayPartsToString(example?.text),
    };
  }

  #comment(commented: ts.Signature | ts.Symbol | undefined): string {
    return ts.displayPartsToString(commented?.getDocumentationComment(this.#checker)).replaceAll(/\s+/g, ' ');
  }

  /** Neither a list, nor a function, nor bytes, nor what may be anything. */
  #isObject(type: ts.Type): boolean {
    const parts = type.isUnion() ? type.types : [type];
    return parts.every((each) => {
      const isObject = (each.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
      const isUnknown = (each.flags & ts.TypeFlags.Object) !== 0 && this.#checker.typeToString(each) === '{}';
      const isOther = this.#checker.isArrayLikeType(each) || each.getCallSignatures().length > 0;
      return isObject && !isUnknown && !isOther && each.getSymbol()?.name !== 'Uint8Array';
    });
  }

  #exports(of: string): { name: string; symbol: ts.Symbol }[] {
    const file = this.#program.getSourceFile(entryOf(of));
    const symbol = file && this.#checker.getSymbolAtLocation(file);
    if (symbol === undefined) throw new Error(`There is no package ${of}.`);
    return this.#checker.getExportsOfModule(symbol).map((exported) => ({
      name: exported.name,
      symbol: (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : this.#checker.getAliasedSymbol(exported),
    }));
  }
}
