package mutate

import (
	"context"
	"go/ast"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// An Operator edits synchronisation in one way. Its directory below mutate
// holds code, documentation, test and testdata; its name is that directory's.
type Operator struct {
	Name string // "lockstatement"; also in JSON and reports
	Doc  string // doc.go of its directory, embedded
	CORE string // the operator of CORE it is the counterpart of ("ASAT"), or ""
	// Prior is the weight to start with, by kind of failure; a kind that is not listed has 1.
	Prior   map[evidence.Kind]float64
	Shrinks bool // removes or shortens synchronisation: used to optimise a fix
	// Edits lists the operator's edits in one function of the original source, in source order.
	Edits func(fn *Function) []Edit
	// Apply makes one edit. It returns a *Refusal when the edit no longer fits the tree.
	Apply func(m *Mutation, e Edit) error
}

// An Edit is one operator applied at one place of the original source.
type Edit struct {
	Operator string         `json:"operator"`
	File     string         `json:"file"`            // module-relative, slash-separated
	Line     int            `json:"line"`            // of the original, for people
	Func     string         `json:"func"`            // "(*Account).Transfer"
	Node     int            `json:"node"`            // NodeID of the statement (or function) edited
	Other    int            `json:"other,omitempty"` // NodeID of a second place, e.g. the inner section
	Count    int            `json:"count,omitempty"` // statements covered or moved over
	Lock     *analysis.Lock `json:"lock,omitempty"`
	Read     bool           `json:"read,omitempty"` // RLock instead of Lock
	Vars     []string       `json:"vars,omitempty"` // names of the shared variables concerned
	Note     string         `json:"note,omitempty"` // what the edit guards against; becomes the comment in the source
	Heat     float64        `json:"heat"`           // nearness to the evidence when enumerated, 0 to 1
	Flags    []Flag         `json:"flags,omitempty"`
}

// A Flag is a reason to prefer other fixes.
type Flag string

// Flags of edits and fixes.
const (
	Serialises Flag = "serialises"        // a lock around a whole goroutine body
	DropsGuard Flag = "drops-guard"       // removes a lock around an access to data that it guards
	Nested     Flag = "nested-lock"       // acquires a lock while another is held
	Blocks     Flag = "blocks-in-section" // channel operation, wait or sleep inside a critical section
)

// A Refusal is why an edit or a set of edits gives no mutant. It is an
// ordinary outcome, never a fault of the tool.
type Refusal struct {
	Edit   Edit
	Reason string
}

func (r *Refusal) Error() string { panic("contract") }

// A Space is every edit of a program. It is safe for concurrent use.
type Space struct{}

// NewSpace enumerates the edits of all operators in the narrowed functions.
func NewSpace(p *analysis.Program, n *analysis.Narrowing, operators []*Operator) (*Space, error) {
	panic("contract")
}

// Edits are all edits, hottest first, then in source order; the order is the
// same in each run. The slice must not be changed.
func (s *Space) Edits() []Edit { panic("contract") }

// Extend enumerates again after the narrowing has grown; it returns the edits that are new.
func (s *Space) Extend() []Edit { panic("contract") }

// Operator finds an operator by name.
func (s *Space) Operator(name string) *Operator { panic("contract") }

// Mutant applies a set of edits to the original source. Order does not
// matter. No edits give the original program. The error is a *Refusal when
// the edits conflict, would lock a lock that is already held, change nothing,
// or give a program that does not type-check.
func (s *Space) Mutant(ctx context.Context, edits []Edit) (*Mutant, error) { panic("contract") }

// A Mutant is a set of edits and the source they give.
type Mutant struct {
	Edits []Edit            // in canonical order
	Hash  string            // of the printed source, hex; equal mutants have equal hashes
	Files map[string][]byte // changed files: absolute name to source, formatted
	Flags []Flag            // union of the edits' and those of the combination, sorted
}

// OriginalLine maps a line of a mutant's file to the line of the original it
// stands for or, for an inserted line, follows.
func (m *Mutant) OriginalLine(file string, line int) int { panic("contract") }

// A Function is one function of the original source with what operators need
// to know of it. A function literal is a Function of its own; the functions
// around and inside it do not count its statements as theirs.
type Function struct {
	Program   *analysis.Program
	Narrowing *analysis.Narrowing
	File      *analysis.File
	Node      ast.Node // *ast.FuncDecl or *ast.FuncLit
	Name      string   // "(*Account).Transfer", "(*Account).Run.func1"
	Type      *ast.FuncType
	Body      *ast.BlockStmt
}

// A Statement is one statement of a statement list: a block, or the body of a case or comm clause.
type Statement struct {
	Stmt  ast.Stmt
	List  []ast.Stmt // the list it is in
	Index int        // its place there
	Owner ast.Node   // *ast.BlockStmt, *ast.CaseClause or *ast.CommClause
}

// ID is the NodeID of a syntax node: its ordinal in the pre-order walk of the
// original file's tree.
func (fn *Function) ID(n ast.Node) int { panic("contract") }

// Statements lists the function's statements in source order, nested ones after their parents.
func (fn *Function) Statements() []Statement { panic("contract") }

// NewEdit starts an edit at a node: file, line, function, NodeID, the names of
// the shared variables in the covered statements, and the heat are filled in.
func (fn *Function) NewEdit(operator string, at ast.Node, covered ...ast.Stmt) Edit {
	panic("contract")
}

// A Mutation is a program being edited: one tree for each file touched.
type Mutation struct{}

// Node returns the node of a file that had the given NodeID in the original;
// nil if an earlier edit removed it.
func (m *Mutation) Node(file string, id int) dst.Node { panic("contract") }

// Place finds the statement list that holds a statement now, and its index.
func (m *Mutation) Place(file string, s dst.Stmt) (list *[]dst.Stmt, index int, ok bool) {
	panic("contract")
}

// Insert puts statements before (or after) an anchor statement of a file and
// lets comments and blank lines stay with the anchor.
func (m *Mutation) Insert(file string, anchor dst.Stmt, after bool, stmts ...dst.Stmt) error {
	panic("contract")
}

// Remove takes a statement out; its comments go to its neighbour, a blank
// line before it is kept once.
func (m *Mutation) Remove(file string, s dst.Stmt) error { panic("contract") }

// Call makes the statement l.method(), e.g. a.mu.Lock(), with a comment line above it unless note is "".
func (m *Mutation) Call(l analysis.Lock, method, note string) *dst.ExprStmt { panic("contract") }

// Declare makes sure that an edit's new lock exists and package sync is
// imported; without a new lock it does nothing. Edits that name the same new lock share it.
func (m *Mutation) Declare(e Edit) error { panic("contract") }
