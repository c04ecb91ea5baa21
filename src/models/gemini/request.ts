/** The JSON of a generateContent request, as far as we write it, as types. */

/** `data` is base64. */
export type Blob = {
  readonly mimeType: string;
  readonly data: string;
};

export type TextPart = { readonly text: string };

export type BlobPart = { readonly inlineData: Blob };

export type CallPart = {
  readonly functionCall: {
    readonly id?: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  readonly thoughtSignature?: string;
};

export type ResponsePart = {
  readonly functionResponse: {
    /** The id of the call, when that has one. */
    readonly id?: string;
    readonly name: string;
    readonly response: { readonly output: string } | { readonly error: string };
    /** What the model is shown beside the text. */
    readonly parts?: readonly BlobPart[];
  };
};

/** A part as the model sent it, of whatever kind. */
export type ReplayedPart = { readonly thoughtSignature?: string };

export type RequestPart = TextPart | BlobPart | CallPart | ResponsePart | ReplayedPart;

export type RequestContent = {
  readonly role: 'user' | 'model';
  readonly parts: readonly RequestPart[];
};

export type Declaration = {
  readonly name: string;
  readonly description: string;
  /** Absent for a tool without arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type CallingConfig = {
  readonly mode: 'AUTO' | 'ANY' | 'NONE';
  readonly allowedFunctionNames?: readonly string[];
};

export type GenerationConfig = {
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly responseMimeType?: 'application/json';
  readonly responseSchema?: Readonly<Record<string, unknown>>;
};

export type GeminiBody = {
  readonly contents: readonly RequestContent[];
  readonly systemInstruction?: { readonly parts: readonly TextPart[] };
  readonly tools?: readonly { readonly functionDeclarations: readonly Declaration[] }[];
  readonly toolConfig?: { readonly functionCallingConfig: CallingConfig };
  readonly generationConfig?: GenerationConfig;
};
